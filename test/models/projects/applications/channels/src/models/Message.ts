import mongoose, { Schema } from "mongoose";

const attachment = new Schema({ kind: String }, { discriminatorKey: "kind", _id: false });

const messageSchema = new Schema({
  channel: { type: Schema.Types.ObjectId, ref: "Channel", required: true },
  body: { type: String, required: [true, "a message has a body"] },
  attachments: [attachment],
  reactions: [{ _id: false, emoji: { type: String, required: true }, count: { type: Number, default: 1, min: 1 } }],
  sentAt: { type: Date, default: Date.now, immutable: true },
});

const list = messageSchema.path("attachments") as unknown as Schema.Types.DocumentArray;
list.discriminator("image", new Schema({ url: { type: String, required: true }, width: Number }, { _id: false }));
list.discriminator("code", new Schema({ text: { type: String, required: true }, language: { type: String, default: "text" } }, { _id: false }));

export default mongoose.models?.Message || mongoose.model("Message", messageSchema);
