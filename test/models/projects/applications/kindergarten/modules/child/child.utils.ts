import { ChildModel } from './child.interface';

export const generateChildId = async (model: ChildModel) => {
  const last = await model.findOne({}, { id: 1, _id: 0 }).sort({ createdAt: -1, id: -1 }).lean();
  const current = Number(last?.id?.split('-')[1] ?? 0);
  return `K-${String(current + 1).padStart(4, '0')}`;
};
