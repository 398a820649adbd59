import express from 'express';
import { ChildControllers } from './child.controller';

const router = express.Router();
router.post('/', ChildControllers.createChild);
router.get('/', ChildControllers.getAllChildren);

export const ChildRoutes = router;
