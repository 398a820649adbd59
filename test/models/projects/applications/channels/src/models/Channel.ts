import mongoose, { Schema } from "mongoose";
import Workspace from "./Workspace";

const channelSchema = new Schema(
  {
    workspace: { type: Schema.Types.UUID, ref: "Workspace", required: true },
    name: { type: String, required: true, lowercase: true, trim: true, match: /^[a-z0-9-]+$/ },
    topic: { type: String, default: null },
    archivedAt: { type: Date, default: null },
    unread: { type: Map, of: Number },
  },
  {
    timestamps: true,
    statics: {
      async open(workspace: string) {
        return this.find({ workspace, archivedAt: null });
      },
    },
  },
);

channelSchema.index({ workspace: 1, name: 1 }, { unique: true, partialFilterExpression: { archivedAt: null } });

channelSchema.pre("save", async function () {
  if (!(await Workspace.exists({ _id: this.workspace }))) throw Object.assign(new Error("no such workspace"), { statusCode: 422, expose: true });
});

export default mongoose.models.Channel || mongoose.model("Channel", channelSchema);
