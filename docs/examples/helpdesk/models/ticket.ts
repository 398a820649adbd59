/** A request of a customer, which agents answer. */
import { defineModel, ObjectId } from 'dossier';

const day = 86_400_000;

const schema = defineModel(
  {
    title: { type: String, required: true },
    status: { type: String, enum: ['open', 'answered', 'closed'], default: 'open', index: true },
    urgent: Boolean,
    customer_id: { type: ObjectId, link: 'customer', required: true },
  },
  {
    perms: { agents: 'crud', admin: 'crud' },
    history: true,
    schedules: { nightly: { call: 'escalate', cron: '0 3 * * *', zone: 'Europe/Berlin', input: { days: 2 } } },
  },
);

/** Makes tickets urgent that have had no answer for some days. */
Object.assign(schema.statics, {
  async escalate({ days }, { api, log, signal }) {
    const tickets = api.model('ticket');
    const before = new Date(Date.now() - days * day).toISOString();
    let count = 0;
    const late = { status: 'open', urgent: { $ne: true }, createdAt: { $lt: before } };
    for await (const { _id } of tickets.iterate({ filter: late, signal })) {
      await tickets.patch(_id, { urgent: true });
      count += 1;
    }
    log.info('tickets are urgent now', { count });
  },
});

export default schema;
