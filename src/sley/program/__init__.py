"""The pivot representation: concurrent control-flow programs, their text form, passes over them."""
