import { Schema } from 'mongoose';

export default new Schema({ title: String, login: { site: String, password: String } }, {
  perms: { admin: 'crud', user: 'c', owner: 'crud' },
} as object);
