// sley: reach=true race=true deadlock=true memory=false overflow=true
// The initialiser made room for two words; the third does not exist.
struct message {
    int length;
    int words[];
};

static struct message greeting = {3, {10, 20}};

int main(void)
{
    int sum = 0;
    for (int i = 0; i < greeting.length; i++)
        sum += greeting.words[i] > 0;
    return sum;
}
