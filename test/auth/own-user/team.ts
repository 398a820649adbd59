import { Schema } from 'mongoose';

export default new Schema({ name: String }, { perms: { admin: 'crud' } } as object);
