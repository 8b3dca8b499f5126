const OpenAI = require('openai');
const baseURL = process.env.SERVER + '/' + process.argv[2] + '/v1';
const client = new OpenAI({ baseURL, apiKey: 'not-a-key', maxRetries: 0, timeout: 2000 });
const messages = [{ role: 'user', content: 'Summarise the log' }];
client.chat.completions.create({ model: 'gpt-4o', messages })
  .then((answer) => console.log(answer.choices[0].message.content));
