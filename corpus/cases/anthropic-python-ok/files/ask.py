import os, sys
from anthropic import Anthropic

url = os.environ['SERVER'] + '/' + sys.argv[1]
client = Anthropic(base_url=url, api_key='not-a-key', max_retries=0, timeout=2)
question = [{'role': 'user', 'content': 'Summarise the log'}]
answer = client.messages.create(model='claude-test', max_tokens=100, messages=question)
print(answer.content[0].text)
