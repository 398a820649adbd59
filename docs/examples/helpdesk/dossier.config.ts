import { surveys } from './surveys/index.ts';

export default { plugins: [surveys({ best: 5 })] };
