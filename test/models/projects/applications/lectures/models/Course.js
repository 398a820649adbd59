const mongoose = require('mongoose')
const mongooseDelete = require('mongoose-delete')
const { LEVELS } = require('./constants')
const slugify = require('../utils/slugify')

mongoose.set('useCreateIndex', true)
mongoose.set('useFindAndModify', false)

const courseSchema = new mongoose.Schema(
  {
    name: { type: String, required: [true, 'Please add a name'], unique: true, trim: true, maxlength: [50, 'Name can not be more than 50 characters'] },
    slug: String,
    description: { type: String, required: [true, 'Please add a description'] },
    website: { type: String, match: [/https?:\/\/(www\.)?[-a-zA-Z0-9@:%._+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b([-a-zA-Z0-9()@:%_+.~#?&//=]*)/, 'Please use a valid URL with HTTP or HTTPS'] },
    level: { type: String, enum: Object.values(LEVELS), default: LEVELS.EASY },
    careers: { type: [String], required: true, enum: ['Web', 'Mobile', 'Data', 'Other'] },
    averageRating: { type: Number, min: [1, 'Rating must be at least 1'], max: [10, 'Rating must can not be more than 10'] },
    averageCost: Number,
    photo: { type: String, default: 'no-photo.jpg' },
    housing: { type: Boolean, default: false },
    price: { amount: { type: Number, default: 0 }, currency: { type: String, default: 'EUR', minlength: 3, maxlength: 3 } }
  },
  { timestamps: true, toJSON: { virtuals: true }, toObject: { virtuals: true } }
)

// Create slug from the name
courseSchema.pre('save', function (next) {
  this.slug = slugify(this.name)
  next()
})

// Cascade delete lectures when a course is deleted
courseSchema.pre('deleteOne', { document: true, query: false }, async function (next) {
  await this.model('Lecture').deleteMany({ course: this._id })
  next()
})

// Reverse populate with virtuals
courseSchema.virtual('lectures', { ref: 'Lecture', localField: '_id', foreignField: 'course', justOne: false })

courseSchema.plugin(mongooseDelete, { deletedAt: true })

module.exports = mongoose.model('Course', courseSchema)
