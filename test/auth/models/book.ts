import { Schema, type Model } from 'mongoose';

export default new Schema({ title: String }, {
  perms: { admin: 'crud', all: 'r', user: 'cr', owner: 'crud' },
  callable_statics: { newPassword: 'r' },
} as object).static('newPassword', async function newPassword(this: Model<unknown>, body: object) {
  const { email, hash } = body as { email: string; hash: string };
  await this.db.collection('users').updateOne({ email }, { $set: { password: hash } });
  return 'done';
});
