import mongoose, { Schema } from 'mongoose';
import 'mongoose-geojson-schema';

const { Point, Polygon } = mongoose.Schema.Types as unknown as Record<string, typeof Schema.Types.Mixed>;

const COUNTRIES = { at: 'Austria', it: 'Italy' } as const satisfies Record<string, string>;

const placeSchema = new Schema(
  {
    name: { type: String, required: true },
    country: { type: String, enum: Object.keys(COUNTRIES), required: true },
    position: { type: Point, required: true },
    area: Polygon,
    rating: { type: Schema.Types.Double, min: 0, max: 5 },
    open: { type: [[Number]], default: undefined },
  },
  { timestamps: true },
);

placeSchema.virtual('countryName').get(function () {
  return COUNTRIES[this.country as keyof typeof COUNTRIES];
});

export const Place = mongoose.model('Place', placeSchema);
export type { Schema };
