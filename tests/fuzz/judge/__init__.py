"""Small C programs around the corners of C and its libraries, judged by compilers with sanitizers."""
