import mongoose, { InferSchemaType, Schema } from "mongoose";
import leanDefaults from "mongoose-lean-defaults";
import leanGetters from "mongoose-lean-getters";
import { mongooseLeanVirtuals } from "mongoose-lean-virtuals";
import { ROLES } from "./enums";

const playerSchema = new Schema(
  {
    nickname: { type: String, required: true, unique: true, lowercase: true, trim: true },
    role: { type: String, enum: ROLES, default: "player" },
    score: { type: Number, default: 0, get: (v: number) => Math.floor(v) },
    badges: { type: [{ name: String, at: { type: Date, default: () => new Date() } }], default: undefined },
    friend: { type: mongoose.Types.ObjectId, ref: "Player" },
  },
  {
    methods: {
      isHost() {
        return this.role === "host";
      },
    },
    statics: {
      top(limit: number) {
        return this.find().sort("-score").limit(limit);
      },
    },
    virtuals: {
      label: {
        get(): string {
          return `${this.nickname} (${this.score})`;
        },
      },
    },
  }
);

playerSchema.plugin(mongooseLeanVirtuals);
playerSchema.plugin(leanDefaults);
playerSchema.plugin(leanGetters);

export type Player = InferSchemaType<typeof playerSchema>;
export default mongoose.model("Player", playerSchema);
