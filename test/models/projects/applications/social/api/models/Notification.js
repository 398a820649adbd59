import mongoose from "mongoose";

const notificationSchema = new mongoose.Schema(
  {
    to: { type: mongoose.Schema.Types.ObjectId, ref: "Profile", required: true, index: true },
    verb: { type: String, enum: ["like", "follow", "comment"], required: true, immutable: true },
    read: { type: Boolean, default: false },
    object: { type: mongoose.Schema.Types.ObjectId, refPath: "objectModel" },
    objectModel: { type: String, enum: ["Post", "Profile"] },
  },
  { timestamps: true, capped: false }
);

export default mongoose.model("Notification", notificationSchema);
