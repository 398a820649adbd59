import { type Model, Schema } from 'mongoose';

const isText = (value: unknown): value is string => typeof value === 'string';
const usersOf = ({ db }: Model<unknown>) => db.model('user');

export default new Schema({ title: String }, {
  perms: { admin: 'crud', all: 'r', user: 'cr', owner: 'crud' },
  callable_statics: { newPassword: 'r', removeUser: 'r', renameUser: 'r', showHash: 'r' },
} as object)
  .static('newPassword', async function newPassword(this: Model<unknown>, body: object) {
    const { email, hash } = body as { email: string; hash: string };
    await this.db.collection('users').updateOne({ email }, { $set: { password: hash } });
    return 'done';
  })
  .static('removeUser', async function removeUser(this: Model<unknown>, { email }: { email?: unknown }) {
    if (isText(email)) await usersOf(this).deleteOne({ email });
    return 'done';
  })
  .static('renameUser', async function renameUser(this: Model<unknown>, body: { from?: unknown; to?: unknown }) {
    if (isText(body.from) && isText(body.to))
      await usersOf(this).updateOne({ email: body.from }, { email: body.to }, { runValidators: true });
    return 'done';
  })
  .static('showHash', async function showHash(this: Model<unknown>, { email }: { email?: unknown }) {
    const user = isText(email) ? await this.db.collection('users').findOne({ email }) : null;
    const hash = String(user?.['password']);
    return { text: `the hash is ${hash}.`, list: [{ hash, [hash]: 1 }], long: `${hash}${hash}`, price: '$2 or $25' };
  });
