import { Schema } from 'mongoose';

export default new Schema({ title: { type: String, required: true }, done: Boolean }, { perms: { all: 'cr' } });
