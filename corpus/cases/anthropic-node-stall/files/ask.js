const Anthropic = require('@anthropic-ai/sdk').default;
const baseURL = process.env.SERVER + '/' + process.argv[2];
const client = new Anthropic({ baseURL, apiKey: 'not-a-key', maxRetries: 0, timeout: 2000 });
const messages = [{ role: 'user', content: 'Summarise the log' }];
client.messages.create({ model: 'claude-test', max_tokens: 100, messages })
  .then((answer) => console.log(answer.content[0].text));
