import _ from 'lodashh';
console.log(_);
