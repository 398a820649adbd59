import mongoose, { type HydratedDocument, type InferSchemaType, type Model, Schema } from "mongoose";
import { randomUUID } from "node:crypto";

const workspaceSchema = new Schema({
  _id: { type: Schema.Types.UUID, default: () => randomUUID() },
  name: { type: String, required: true },
  plan: { type: String, enum: ["free", "pro"] as const, default: "free" },
  seats: { type: Schema.Types.Int32, default: 5, min: 1 },
  storage: { type: BigInt, default: 0n },
  domains: { type: [String], validate: { validator: (list: string[]) => list.every((one) => one.includes(".")), message: "no domain" } },
});

type Workspace = InferSchemaType<typeof workspaceSchema>;
export type WorkspaceDocument = HydratedDocument<Workspace>;

export default (mongoose.models.Workspace as Model<Workspace>) || mongoose.model<Workspace>("Workspace", workspaceSchema);
