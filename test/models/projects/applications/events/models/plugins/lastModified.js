module.exports = exports = function lastModifiedPlugin (schema, options) {
  schema.add({ lastMod: Date, version: { type: Number, default: 0 } })
  schema.pre('save', function (next) {
    this.lastMod = new Date()
    this.version += 1
    next()
  })
  if (options && options.index) {
    schema.path('lastMod').index(options.index)
  }
}
