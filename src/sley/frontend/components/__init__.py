"""What a repository has that can be checked by itself: ``facts`` of each file, components found in them."""
