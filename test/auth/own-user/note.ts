export { default } from '../models/note.ts';
