const APIFeatures = require('../utils/apiFeatures');
const AppError = require('../utils/appError');

const found = (document) => {
  if (!document) throw new AppError('there is no document with this id', 404);
  return document;
};

exports.getAll = (Model, filterOf) => async (req, res) => {
  const query = Model.find(filterOf ? filterOf(req) : {});
  const documents = await new APIFeatures(query, req.query).filter().sort().limitFields().paginate().query;
  res.json({ status: 'success', results: documents.length, data: documents });
};

exports.getOne = (Model, populate) => async (req, res) => {
  const query = Model.findById(req.params.id);
  res.json({ status: 'success', data: found(await (populate ? query.populate(populate) : query)) });
};

exports.createOne = (Model) => async (req, res) => {
  res.status(201).json({ status: 'success', data: await Model.create(req.body) });
};

exports.updateOne = (Model) => async (req, res) => {
  const document = found(await Model.findById(req.params.id));
  document.set(req.body);
  res.json({ status: 'success', data: await document.save() });
};

exports.deleteOne = (Model) => async (req, res) => {
  found(await Model.findByIdAndDelete(req.params.id));
  res.status(204).end();
};
