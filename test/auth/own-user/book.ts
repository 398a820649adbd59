export { default } from '../models/book.ts';
