import { test } from '@jest/globals';
import { startServer } from '../support/server.ts';
import { makeRoot } from '../support/callers.ts';
test('x', async () => {
  const s = await startServer({ models: { vault: `import { Schema } from 'mongoose';
export default new Schema({ title: String, password: { type: String, alias: 'pin' }, code: { password: { type: String, alias: 'code.pin' } }, sub: new Schema({password:{type:String, alias:'pin'}}) });` } });
  const root = await makeRoot(s);
  const a = await s.post('/api/vault', { pin: 'P', code: { pin: 'Q' }, sub: {pin: 'R'} }, root);
  const id = String(a.document['_id']);
  const out = [a.text];
  const read = async () => JSON.stringify(await s.dossier.services.connection.collection('vaults').find({}).toArray());
  out.push(await read());
  out.push((await s.put('/api/vault/'+id, { pin: 'P2', 'code.pin': 'Q2', 'sub.pin': 'R2' }, root)).text, await read());
  out.push((await s.put('/update/vault/'+id, { pin: 'P3', 'code.pin': 'Q3', 'sub.pin': 'R3' }, root)).text, await read());
  out.push((await s.get('/api/vault', root)).text);
  console.log(out.join('\n'));
});
