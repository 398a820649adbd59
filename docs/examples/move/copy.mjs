/**
 * Copies all documents of one database to another: node docs/examples/move/copy.mjs <from> <to>
 * The addresses name their databases. The target must be empty. Dossier builds the indexes of its models when it starts.
 */
import { MongoClient } from 'mongodb';

const [from, to] = process.argv.slice(2).map((address) => new MongoClient(address));
if (from === undefined || to === undefined) throw new Error('usage: copy.mjs <from> <to>');
// numbers keep their BSON types
const asStored = { promoteValues: false, bsonRegExp: true };

try {
  const [source, target] = [from.db(), to.db()];
  if ((await target.listCollections().toArray()).length > 0)
    throw new Error(`the database ${target.databaseName} is not empty`);
  for (const { name, type, options } of await source.listCollections().toArray()) {
    if (type !== 'collection' || name.startsWith('system.')) continue;
    const collection = await target.createCollection(
      name,
      options?.collation === undefined ? {} : { collation: options.collation },
    );
    let batch = [];
    let copied = 0;
    const flush = async () => {
      if (batch.length > 0) await collection.insertMany(batch);
      copied += batch.length;
      batch = [];
    };
    for await (const document of source.collection(name).find({}, asStored)) {
      batch.push(document);
      if (batch.length === 500) await flush();
    }
    await flush();
    console.log(`${name}: ${copied}`);
  }
} finally {
  await Promise.all([from.close(), to.close()]);
}
