it('answers', (done) => {});
