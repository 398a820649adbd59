const Mongoose = require('mongoose');
const mongoosePaginate = require('mongoose-paginate-v2');
const deepPopulate = require('mongoose-deep-populate')(Mongoose);
const { Schema } = Mongoose;

const ListingSchema = new Schema(
  {
    title: { type: String, required: true },
    vendor: { type: Schema.Types.ObjectId, ref: 'Vendor' },
    price: { type: Schema.Types.Decimal128, default: 0 },
    offers: [{ by: { type: Schema.Types.ObjectId, ref: 'Vendor' }, amount: { type: Number, required: true, min: 1 }, note: String }],
    options: { type: Schema.Types.Mixed, default: {} },
    expires: { type: Date, default: () => Date.now() + 7 * 24 * 3600 * 1000 },
    kind: { type: String, enum: ['sale', 'auction'], required: true }
  },
  { minimize: false, optimisticConcurrency: true }
);

ListingSchema.plugin(mongoosePaginate);
ListingSchema.plugin(deepPopulate, { whitelist: ['vendor', 'offers.by'] });

ListingSchema.virtual('best').get(function () {
  return this.offers.reduce((max, { amount }) => Math.max(max, amount), 0);
});

ListingSchema.path('offers').validate(function (offers) {
  return this.kind === 'auction' || !offers || offers.length === 0;
}, 'only auctions have offers');

module.exports = Mongoose.model('Listing', ListingSchema);
