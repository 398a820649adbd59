/** Classes of typegoose are models, by both of its versions, over the server's Mongoose (docs/models.md). */
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { writeModels } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const shop = `
import 'reflect-metadata';
import { getModelForClass, index, modelOptions, plugin, pre, prop } from '@typegoose/typegoose';

class Address {
  @prop({ required: true })
  public city!: string;

  @prop({ default: 'AT' })
  public country!: string;
}

function stamped(schema: any): void {
  schema.add({ stamp: { type: String, default: 'plugged' } });
}

@index({ code: 1 }, { unique: true })
@pre<Shop>('save', function () {
  this.slug = this.name.toLowerCase();
})
@plugin(stamped)
@modelOptions({ schemaOptions: { collection: 'shops', perms: { all: 'crud' } } as any })
class Shop {
  @prop({ required: true, trim: true })
  public name!: string;

  @prop()
  public slug?: string;

  @prop({ required: true })
  public code!: number;

  @prop({ type: () => [String] })
  public tags!: string[];

  @prop({ type: () => Address, default: () => new Address() })
  public address?: Address;

  @prop({ type: () => [Address], _id: false })
  public branches!: Address[];

  public static built(): string {
    return Object.keys(new Address()).join();
  }

  public get title(): string {
    return this.name + '!';
  }
}

export const ShopModel = getModelForClass(Shop);
`;

const vehicle = `
import 'reflect-metadata';
import { getDiscriminatorModelForClass, getModelForClass, modelOptions, prop } from '@typegoose/typegoose';

@modelOptions({ schemaOptions: { discriminatorKey: 'kind', perms: { all: 'crud' } } as any })
class Vehicle {
  @prop({ required: true })
  public name!: string;
}

class Car extends Vehicle {
  @prop({ required: true, min: 1 })
  public doors!: number;
}

export const VehicleModel = getModelForClass(Vehicle);
export const CarModel = getDiscriminatorModelForClass(VehicleModel, Car);
`;

describe.each(['typegoose-12', '@typegoose/typegoose'])('%s', (version) => {
  test('classes with fields, nested classes, indexes, middleware, plug-ins and discriminators are served', async () => {
    const { folder, remove } = await writeModels({ shop, vehicle });
    await mkdir(join(folder, 'node_modules', '@typegoose'), { recursive: true });
    await symlink(resolve('node_modules', version), join(folder, 'node_modules', '@typegoose', 'typegoose'));
    await symlink(resolve('node_modules', 'reflect-metadata'), join(folder, 'node_modules', 'reflect-metadata'));
    const server = await startServer({ models: folder }).finally(remove);
    const post = (model: string, body: object) => server.send('POST', `/api/${model}`, { body });

    const made = await post('shop', {
      name: ' Corner ',
      code: 1,
      tags: ['a'],
      address: { city: 'Graz' },
      branches: [{ city: 'Linz' }],
    });
    expect(made.body).toMatchObject({
      data: {
        ...{ name: 'Corner', slug: 'corner', code: 1, tags: ['a'], stamp: 'plugged' },
        ...{ address: { city: 'Graz', country: 'AT' }, branches: [{ city: 'Linz', country: 'AT' }] },
      },
    });
    expect((await post('shop', { name: 'Corner', code: 1, address: { city: 'Graz' } })).status).toBe(409);
    expect((await post('shop', { code: 2, address: { city: 'Graz' } })).body).toMatchObject({
      err: expect.stringContaining('name'),
    });
    expect((await post('shop', { name: 'Own', code: 3 })).body).toMatchObject({
      err: expect.stringContaining('address.city'),
    });

    expect((await post('vehicle', { kind: 'Car', name: 'one', doors: 3 })).body).toMatchObject({
      data: { kind: 'Car', doors: 3 },
    });
    expect((await post('vehicle', { kind: 'Car', name: 'two' })).body).toMatchObject({
      err: expect.stringContaining('doors'),
    });
    expect((await post('vehicle', { name: 'three' })).status).toBe(201);
    await server.close();
  });
});
