/** Blogs, forums, chats, habits and polls. */
import type { Project } from './project.ts';

const blog: Project = {
  name: 'a blog whose files export nothing',
  models: { Article: 'article', Comment: 'comment' },
  files: {
    'article.js': `
var mongoose = require('mongoose'), Schema = mongoose.Schema;
var getTags = (tags) => tags.join(',');
var setTags = (tags) => (Array.isArray(tags) ? tags : tags.split(',').slice(0, 10));
var ArticleSchema = new Schema({
  title: { type: String, default: '', trim: true, maxlength: 400 },
  body: { type: String, default: '', trim: true },
  tags: { type: [], get: getTags, set: setTags },
  comments: [{ body: { type: String, default: '', maxlength: 20 }, at: { type: Date, default: Date.now } }],
  image: { url: String, kind: String },
});
ArticleSchema.path('title').required(true, 'Article title cannot be blank');
ArticleSchema.path('body').required(true, 'Article body cannot be blank');
ArticleSchema.methods = { last: function () { return this.comments.at(-1); } };
ArticleSchema.statics = { load: function (_id) { return this.findOne({ _id }).exec(); } };
mongoose.model('Article', ArticleSchema);`,
    'comment.js': `
var mongoose = require('mongoose');
var Article = mongoose.model('Article');
var schema = new mongoose.Schema({ article: { type: mongoose.Schema.ObjectId, ref: 'Article' }, text: String, parent: { type: mongoose.Schema.ObjectId, ref: 'Comment' }, depth: { type: Number, default: 0 } });
schema.pre('save', async function () { if (this.parent) this.depth = (await mongoose.model('Comment').findById(this.parent)).depth + 1; });
schema.pre('save', async function () { if (!(await Article.exists({ _id: this.article }))) throw Object.assign(new Error('no article'), { statusCode: 422, expose: true }); });
mongoose.model('Comment', schema);`,
  },
  steps: [
    { post: 'Article', as: 'a', body: { title: ' One ', body: 'b', tags: 'x,y', comments: [{ body: 'first' }] } },
    { post: 'Article', body: { title: 'no body' } },
    { post: 'Article', body: { title: 't', body: 'b', comments: [{ body: 'much too long for a comment' }] } },
    { put: 'a', body: { tags: 'z', title: ' Two' } },
    { put: 'a', body: { title: '' } },
    { put: 'a', body: { image: { url: 'u' } } },
    { put: 'a', body: { 'image.kind': 'png' } },
    { post: 'Comment', as: 'c', body: { article: '@a', text: 'c' } },
    { post: 'Comment', as: 'd', body: { article: '@a', text: 'd', parent: '@c' } },
    { post: 'Comment', body: { text: 'lost' } },
    { put: 'd', body: { text: 'dd' } },
    { find: 'Comment', where: { depth: 1 } },
    { populate: 'Comment', path: 'parent' },
    { populate: 'Comment', path: 'article' },
  ],
};

const forum: Project = {
  name: 'a forum of threads that link both ways',
  models: { Thread: 'thread', Post: 'post', Member: 'member' },
  files: {
    'thread.js': `
const mongoose = require('mongoose');
const Post = require('./post');
const schema = new mongoose.Schema({ title: { type: String, required: true, unique: true, minlength: [3, 'short'] }, slug: { type: String, lowercase: true, unique: true }, author: { type: mongoose.Schema.Types.ObjectId, ref: 'Member' }, locked: Boolean, views: { type: Number, default: 0 } }, { timestamps: true });
schema.pre('validate', function (next) { if (!this.slug && this.title) this.slug = this.title + '-x'; next(); });
schema.virtual('posts', { ref: 'Post', localField: '_id', foreignField: 'thread' });
schema.virtual('size', { ref: 'Post', localField: '_id', foreignField: 'thread', count: true });
schema.methods.clear = function () { return Post.deleteMany({ thread: this._id }); };
module.exports = mongoose.model('Thread', schema);`,
    'post.js': `
const mongoose = require('mongoose');
const schema = new mongoose.Schema({ thread: { type: mongoose.Schema.Types.ObjectId, ref: 'Thread', required: true }, author: { type: mongoose.Schema.Types.ObjectId, ref: 'Member' }, text: { type: String, required: function () { return !this.image; } }, image: String, likes: [{ type: mongoose.Schema.Types.ObjectId, ref: 'Member' }], likesCount: Number });
schema.pre('save', async function () {
  const thread = await require('./thread').findById(this.thread);
  if (thread?.locked) throw Object.assign(new Error('the thread is locked'), { statusCode: 422, expose: true });
  this.likesCount = this.likes.length;
});
module.exports = mongoose.model('Post', schema);`,
    'member.js': `
const mongoose = require('mongoose');
class MemberClass { get initials() { return this.name.split(' ').map((part) => part[0]).join(''); } static async byName(name) { return this.findOne({ name }); } }
const schema = new mongoose.Schema({ name: { type: String, required: true }, handle: { type: String, alias: 'nick', lowercase: true }, following: [{ type: mongoose.Schema.Types.ObjectId, ref: 'Member' }], karma: { type: Number, default: 0, immutable: true } });
schema.loadClass(MemberClass);
module.exports = mongoose.model('Member', schema);`,
  },
  steps: [
    { post: 'Member', as: 'ann', body: { name: 'Ann Bee', nick: 'ANN' } },
    { post: 'Member', as: 'bob', body: { name: 'Bob', following: ['@ann'] } },
    { post: 'Thread', as: 't', body: { title: 'Hello', author: '@ann' } },
    { post: 'Thread', body: { title: 'Hi' } },
    { post: 'Thread', body: { title: 'Hello' } },
    { post: 'Post', as: 'p', body: { thread: '@t', author: '@bob', text: 'x', likes: ['@ann', '@bob'] } },
    { post: 'Post', body: { thread: '@t' } },
    { post: 'Post', as: 'i', body: { thread: '@t', image: 'i.png' } },
    { put: 'p', body: { likes: [] } },
    { put: 't', body: { locked: true } },
    { post: 'Post', body: { thread: '@t', text: 'late' } },
    { put: 'i', body: { image: null } },
    { put: 'bob', body: { karma: 9 } },
    { put: 'ann', body: { following: ['@bob', '@ann'] } },
    { populate: 'Thread', path: 'posts' },
    { populate: 'Thread', path: 'size' },
    { populate: 'Member', path: 'following' },
    { find: 'Thread', where: { locked: true } },
  ],
};

const habits: Project = {
  name: 'habits, whose kinds are in files of their own',
  models: { Task: 'task' },
  files: {
    'Task.js': `
const mongoose = require('mongoose');
const schema = new mongoose.Schema({ type: { type: String, required: true, default: 'todo', enum: ['habit', 'daily', 'todo'] }, text: { type: String, required: true }, value: { type: Number, default: 0 }, tags: { type: [String], validate: (list) => new Set(list).size === list.length } }, { discriminatorKey: 'type', minimize: false });
schema.pre('save', function () { this.text = this.text.trim(); });
module.exports = mongoose.model('Task', schema);`,
    'Habit.js': `
const mongoose = require('mongoose');
const Task = require('./Task');
const schema = new mongoose.Schema({ up: { type: Boolean, default: true }, down: { type: Boolean, default: true }, streak: { type: Number, default: 0 } });
schema.pre('save', function (next) { this.streak += 1; next(); });
module.exports = Task.discriminator('habit', schema);`,
    'Daily.js': `
const mongoose = require('mongoose');
module.exports = require('./Task').discriminator('daily', new mongoose.Schema({ frequency: { type: String, default: 'weekly', enum: ['daily', 'weekly'] }, everyX: { type: Number, default: 1, min: 1 }, completed: Boolean }));`,
    'Todo.js': `
const mongoose = require('mongoose');
module.exports = require('./Task').discriminator('todo', new mongoose.Schema({ due: Date, checklist: [{ text: String, done: { type: Boolean, default: false } }] }));`,
  },
  steps: [
    { post: 'Task', as: 'h', body: { type: 'habit', text: ' run ' } },
    { post: 'Task', as: 'd', body: { type: 'daily', text: 'sleep', everyX: '2' } },
    { post: 'Task', as: 't', body: { type: 'todo', text: 'buy', checklist: [{ text: 'milk' }] } },
    { post: 'Task', body: { type: 'daily', text: 'bad', frequency: 'never' } },
    { post: 'Task', body: { type: 'daily', text: 'bad', everyX: 0 } },
    { post: 'Task', body: { type: 'habit' } },
    { put: 'h', body: { up: false } },
    { put: 'd', body: { everyX: 0 } },
    { put: 'd', body: { completed: true } },
    { put: 't', body: { 'checklist.0.done': true } },
    { put: 't', body: { tags: ['a', 'a'] } },
    { find: 'Task', where: { type: 'daily' } },
  ],
};

const chat: Project = {
  name: 'a chat with suffixes of every kind',
  models: { Room: 'room', Message: 'message', Person: 'person' },
  files: {
    'room_model.js': `
const mongoose = require('mongoose');
const schema = new mongoose.Schema({ name: { type: String, required: true }, kind: { type: String, enum: ['direct', 'group'], default: 'group' }, members: { type: [{ type: mongoose.ObjectId, ref: 'people' }], validate: { validator: function (list) { return this.kind !== 'direct' || list.length === 2; }, message: 'a direct room has two members' } }, last: { type: mongoose.ObjectId, ref: 'Message' } });
module.exports = mongoose.model('Room', schema, 'chat_rooms');`,
    'message.schema.js': `
const mongoose = require('mongoose');
const schema = new mongoose.Schema({ room: { type: mongoose.ObjectId, ref: 'Room' }, from: { type: mongoose.ObjectId, ref: 'Person' }, text: { type: String, set: (value) => value.replace(/</g, '&lt;') }, edited: { type: Boolean, default: false } });
schema.pre('save', function () { if (!this.isNew && this.isModified('text')) this.edited = true; });
schema.post('save', async function (doc, next) { await mongoose.model('Room').updateOne({ _id: doc.room }, { last: doc._id }); next(); });
module.exports = mongoose.model('Message', schema);`,
    'personModel.js': `
const { model, Schema } = require('mongoose');
exports.Person = model('Person', new Schema({ name: String, seen: { type: Date, default: null }, settings: { theme: { type: String, default: 'light' }, mute: { type: [String], default: undefined } } }, { minimize: true }));`,
  },
  steps: [
    { post: 'Person', as: 'a', body: { name: 'A' } },
    { post: 'Person', as: 'b', body: { name: 'B', settings: { mute: ['x'] } } },
    { post: 'Room', as: 'r', body: { name: 'r', members: ['@a', '@b'], kind: 'direct' } },
    { post: 'Room', body: { name: 'q', members: ['@a'], kind: 'direct' } },
    { post: 'Message', as: 'm', body: { room: '@r', from: '@a', text: '<b>' } },
    { put: 'm', body: { text: 'new <i>' } },
    { put: 'm', body: { edited: false } },
    { put: 'r', body: { members: [] } },
    { put: 'r', body: { kind: 'group', members: [] } },
    { put: 'b', body: { 'settings.theme': 'dark' } },
    { put: 'a', body: { settings: { theme: 'dark' } } },
    { populate: 'Room', path: 'last' },
    { populate: 'Message', path: 'from' },
    { find: 'Message', where: { edited: true } },
  ],
};

const polls: Project = {
  name: 'polls of an index that has all models',
  models: { Poll: 'poll', Vote: 'vote' },
  files: {
    '_lib/poll.js': `
const mongoose = require('mongoose');
const option = new mongoose.Schema({ label: { type: String, required: true }, votes: { type: Number, default: 0 } });
option.pre('save', function (next) { this.label = this.label.toUpperCase(); next(); });
const poll = new mongoose.Schema({ question: { type: String, required: true }, options: { type: [option], required: true }, closes: { type: Date, default: () => new Date('2030-01-01') }, open: { type: Boolean, default: function () { return this.options.length > 1; } }, total: { type: Number, default: 0 } });
poll.pre('save', function () { this.total = this.options.reduce((sum, one) => sum + one.votes, 0); });
module.exports = mongoose.model('Poll', poll);`,
    '_lib/vote.js': `
const mongoose = require('mongoose');
const vote = new mongoose.Schema({ poll: { type: mongoose.Schema.Types.ObjectId, ref: 'Poll', required: true }, option: { type: String, required: true } });
vote.pre('save', async function () {
  const poll = await this.db.model('Poll').findById(this.poll);
  const option = poll?.options.find((one) => one.label === this.option);
  if (!option) throw Object.assign(new Error('no such option'), { statusCode: 422, expose: true });
  option.votes += 1;
  await poll.save();
});
module.exports = mongoose.model('Vote', vote);`,
    'index.js': `module.exports = { Poll: require('./_lib/poll'), Vote: require('./_lib/vote') };`,
  },
  steps: [
    { post: 'Poll', as: 'p', body: { question: '?', options: [{ label: 'a' }, { label: 'b' }] } },
    { post: 'Poll', as: 's', body: { question: 'single', options: [{ label: 'a' }] } },
    { post: 'Poll', body: { question: '?', options: [{ votes: 1 }] } },
    { post: 'Vote', as: 'v', body: { poll: '@p', option: 'A' } },
    { post: 'Vote', body: { poll: '@p', option: 'c' } },
    { post: 'Vote', body: { option: 'A' } },
    { put: 's', body: { question: 'still single' } },
    {
      put: 's',
      body: {
        options: [
          { label: 'x', votes: 2 },
          { label: 'y', votes: 3 },
        ],
      },
    },
    { find: 'Poll', where: { total: 5 } },
    { populate: 'Vote', path: 'poll' },
  ],
};

export const communities: readonly Project[] = [blog, forum, habits, chat, polls];
