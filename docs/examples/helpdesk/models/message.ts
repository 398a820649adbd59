/** An answer to a ticket, which is mailed to the customer after it is stored. */
import { ObjectId, Schema } from 'dossier';
import { createTransport } from 'nodemailer';

const schema = new Schema(
  { ticket_id: { type: ObjectId, link: 'ticket', required: true }, text: { type: String, required: true } },
  { perms: { agents: 'cr', admin: 'crud' } },
);

schema.statics.mail = async function ({ id }, { api, log }) {
  const message = await api.model('message').one(id, { populate: ['ticket'] });
  const customer = await api.model('customer').one(message.ticket.customer_id);
  const transport = createTransport(process.env.HELPDESK_SMTP_URL);
  await transport.sendMail({
    from: 'desk@example.com',
    to: customer.email,
    subject: `Re: ${message.ticket.title}`,
    text: message.text,
  });
  transport.close();
  log.info('answer mailed', { id });
};

export default schema;
