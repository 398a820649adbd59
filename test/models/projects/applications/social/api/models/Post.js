import mongoose from "mongoose";
const { Schema, model, models } = mongoose;

const CommentSchema = new Schema(
  {
    body: { type: String, required: true, maxLength: 50 },
    by: { type: Schema.Types.ObjectId, ref: "Profile" },
    likes: { type: Map, of: Boolean, default: {} },
  },
  { timestamps: true }
);

const PostSchema = new Schema(
  {
    profile: { type: Schema.Types.ObjectId, ref: "Profile", required: true },
    caption: { type: String, trim: true, minLength: [2, "say something"] },
    hashtags: { type: [String], default: [], transform: (tags) => tags },
    media: { type: [{ url: { type: String, required: true }, width: Number, height: Number }], validate: (list) => list.length <= 2 },
    comments: [CommentSchema],
    visibility: { type: String, enum: { values: ["public", "friends"], message: "{VALUE} is not supported" }, default: "public" },
    edited: { type: Boolean, default: false },
    location: { type: { type: String, enum: ["Point"] }, coordinates: { type: [Number], default: undefined } },
  },
  { timestamps: true, toJSON: { virtuals: true } }
);

PostSchema.virtual("commentCount").get(function () {
  return this.comments.length;
});

PostSchema.pre("save", function (next) {
  if (this.isModified("caption")) {
    this.hashtags = [...(this.caption ?? "").matchAll(/#(\w+)/g)].map(([, tag]) => tag.toLowerCase());
    if (!this.isNew) this.edited = true;
  }
  next();
});

export const Post = models.Post ?? model("Post", PostSchema);
export default Post;
