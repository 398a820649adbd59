/** Asks the database at a URL what it can do and prints the answers as JSON; run by needs.ts. */
import { MongoClient } from 'mongodb';

const client = await new MongoClient(process.argv[2], { serverSelectionTimeoutMS: 5000 }).connect();
const database = client.db(`probe_${process.pid}`);
const works = (ask) =>
  ask().then(
    () => true,
    () => false,
  );
const hello = await database.admin().command({ hello: 1 });
const replicated = hello.setName !== undefined || hello.msg === 'isdbgrid';
const answers = {
  transactions: replicated,
  'change streams': replicated,
  currentOp: await works(() => database.admin().command({ currentOp: 1 })),
  explain: await works(async () => {
    const { executionStats } = await database.collection('plans').find({}).explain('executionStats');
    if (typeof executionStats?.totalDocsExamined !== 'number') throw new Error('no statistics');
  }),
  // not probed: an engine without this bound would search for ever
  'a bound on patterns': false,
  collation: await works(async () => {
    await database.createCollection('names', { collation: { locale: 'en', strength: 2 } });
    const names = database.collection('names');
    await names.insertOne({ name: 'Ann' });
    if ((await names.countDocuments({ name: 'ANN' })) !== 1) throw new Error('case counts');
  }),
  'options of collections': await works(async () => {
    await database.createCollection('strict', { validator: { a: 1 }, changeStreamPreAndPostImages: { enabled: true } });
    await database.createCollection('capped', { capped: true, size: 10_000, max: 2 });
    await database.createCollection('view', { viewOn: 'strict', pipeline: [] });
    const listed = await database.listCollections({ name: 'capped' }).toArray();
    if (listed[0]?.options?.max !== 2) throw new Error('no bound');
  }),
  'codes of time zones': await works(async () => {
    const hour = { $hour: { date: new Date(), timezone: 'Mars/Phobos' } };
    await database.collection('zones').insertOne({});
    const failed = await database
      .collection('zones')
      .aggregate([{ $project: { hour } }])
      .toArray()
      .catch((error) => error.code);
    if (failed !== 40485) throw new Error('another code');
  }),
  'text search': await works(async () => {
    const words = database.collection('words');
    await words.createIndex({ word: 'text' });
    await words.insertOne({ word: 'apple' });
    const found = words.find({ $text: { $search: 'apple' } }).project({ score: { $meta: 'textScore' } });
    const [first] = await found.sort({ score: { $meta: 'textScore' } }).toArray();
    if (typeof first?.score !== 'number') throw new Error('no score');
  }),
};
await database.dropDatabase();
await client.close();
process.stdout.write(JSON.stringify(answers));
