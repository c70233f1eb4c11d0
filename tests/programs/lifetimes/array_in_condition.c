// sley: reach=true race=true deadlock=true memory=false overflow=true
// What a condition gets by value is gone in the branch that follows.
struct word {
    char letters[2];
};

static struct word make(char letter)
{
    struct word word = {{letter, 0}};
    return word;
}

int main(void)
{
    const char *letters;
    if (*(letters = make('a').letters))
        return letters[0];
    return 0;
}
