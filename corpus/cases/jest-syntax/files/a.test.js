test('x', () => { expect(1)
