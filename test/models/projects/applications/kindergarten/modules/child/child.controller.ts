import { NextFunction, Request, Response } from 'express';
import { Child } from './child.model';
import { childValidation } from './child.validation';

const createChild = async (req: Request, res: Response, next: NextFunction) => {
  try {
    const data = childValidation.parse(req.body);
    res.status(201).json({ success: true, data: await Child.create(data) });
  } catch (err) {
    next(err);
  }
};

const getAllChildren = async (_req: Request, res: Response) => {
  res.json({ success: true, data: await Child.find().populate('group') });
};

export const ChildControllers = { createChild, getAllChildren };
