test('view', () => { expect({ title: 'New' }).toMatchSnapshot(); });
