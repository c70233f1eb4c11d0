// sley: reach=true race=true deadlock=true memory=false overflow=true
// A structure that a call returns ends with the expression; its array is gone in the next.
struct word {
    int letters[2];
};

static struct word make(int letter)
{
    struct word word = {{letter, letter + 1}};
    return word;
}

int main(void)
{
    const int *letters = make(3).letters;
    return letters[1];
}
