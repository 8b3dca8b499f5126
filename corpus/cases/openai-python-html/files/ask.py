import os, sys
from openai import OpenAI

url = os.environ['SERVER'] + '/' + sys.argv[1] + '/v1'
client = OpenAI(base_url=url, api_key='not-a-key', max_retries=0, timeout=2)
question = [{'role': 'user', 'content': 'Summarise the log'}]
answer = client.chat.completions.create(model='gpt-4o', messages=question)
print(answer.choices[0].message.content)
