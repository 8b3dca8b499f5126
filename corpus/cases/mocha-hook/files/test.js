before(() => { throw new Error('database is not seeded'); });
it('lists', () => {});
