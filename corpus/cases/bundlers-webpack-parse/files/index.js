const a = <div/>;
