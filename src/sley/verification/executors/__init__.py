"""How engines work on a question: in turn, in processes side by side, or on the nodes of a cluster."""
