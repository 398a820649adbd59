import mongoose from "mongoose";

const profileSchema = new mongoose.Schema({
  handle: { type: String, required: true, unique: true, match: [/^[a-z0-9_]+$/, "letters, digits and _"] },
  bio: { type: String, default: "" },
  followers: [{ type: mongoose.Schema.Types.ObjectId, ref: "Profile" }],
  following: [{ type: mongoose.Schema.Types.ObjectId, ref: "Profile" }],
  birthday: { type: Date, get: (date) => date?.toISOString().slice(0, 10) },
  private: { type: Boolean, default: false },
});

profileSchema.virtual("posts", { ref: "Post", localField: "_id", foreignField: "profile", options: { sort: { _id: -1 } } });

profileSchema.post("findOneAndDelete", async function (doc) {
  if (doc) await mongoose.model("Post").deleteMany({ profile: doc._id });
});

export default mongoose.models.Profile || mongoose.model("Profile", profileSchema);
