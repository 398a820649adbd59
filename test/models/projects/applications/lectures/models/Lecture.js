const mongoose = require('mongoose')
const { Schema, model } = mongoose

const LectureSchema = new Schema({
  title: { type: String, trim: true, required: [true, 'Please add a title'] },
  weeks: { type: String, required: true },
  tuition: { type: Number, required: [true, 'Please add a tuition cost'] },
  minimumSkill: { type: String, required: true, enum: ['beginner', 'intermediate', 'advanced'] },
  scholarship: { type: Boolean, default: false },
  course: { type: mongoose.Schema.ObjectId, ref: 'Course', required: true },
  speaker: { type: Schema.Types.ObjectId, ref: 'Speaker', autopopulate: true }
}, { timestamps: { createdAt: true, updatedAt: false } })

LectureSchema.plugin(require('mongoose-autopopulate'))

// average of the costs of a course
LectureSchema.statics.getAverageCost = async function (courseId) {
  const obj = await this.aggregate([
    { $match: { course: courseId } },
    { $group: { _id: '$course', averageCost: { $avg: '$tuition' } } }
  ])
  try {
    await this.model('Course').findByIdAndUpdate(courseId, { averageCost: Math.ceil(obj[0].averageCost / 10) * 10 })
  } catch (err) {
    console.error(err)
  }
}

LectureSchema.post('save', async function () {
  await this.constructor.getAverageCost(this.course)
})

module.exports = model('Lecture', LectureSchema)
