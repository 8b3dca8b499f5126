import './styles/missing.css';
import x from 'no-such-pkg';
console.log(x);
