test('answers', (done) => {}, 300);
