"use strict";
/** A small service for measures: an order is checked and priced. `CPU` tells what the process used. */

const RATES = { de: 0.19, fr: 0.2, se: 0.25 };

function lineOf({ name, price, count }) {
  if (typeof name !== "string" || name.length > 80) return "name";
  if (!(price > 0) || price > 10_000) return "price";
  if (!Number.isInteger(count) || count < 1 || count > 99) return "count";
  return undefined;
}

function priced(order) {
  const { country = "de", lines = [], coupon } = order ?? {};
  if (!(country in RATES)) return { status: 400, body: { error: "country" } };
  let net = 0;
  for (const line of lines) {
    const wrong = lineOf(line);
    if (wrong) return { status: 400, body: { error: wrong } };
    net += line.price * line.count;
  }
  if (coupon?.startsWith("TEN-") && net > 100) net *= 0.9;
  const tax = Math.round(net * RATES[country] * 100) / 100;
  return {
    status: 200,
    body: { net, tax, total: net + tax, isLarge: net > 1_000 && lines.length > 2 },
  };
}

const description = {
  openapi: "3.0.0",
  info: { title: "Orders", version: "1" },
  paths: { "/orders": { post: { responses: { 200: { description: "priced" } } } } },
};

function express() {
  const make = require("express");
  const app = make();
  app.use(make.json());
  app.get("/openapi.json", (_, response) => response.json(description));
  app.get("/cpu", (_, response) => response.json(process.cpuUsage()));
  app.post("/orders", (request, response) => {
    const { status, body } = priced(request.body);
    response.status(status).json(body);
  });
  app.listen(Number(process.env.PORT), "127.0.0.1");
}

function fastify() {
  const app = require("fastify")();
  app.get("/openapi.json", async () => description);
  app.get("/cpu", async () => process.cpuUsage());
  app.post("/orders", async (request, reply) => {
    const { status, body } = priced(request.body);
    return reply.code(status).send(body);
  });
  app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
}

async function nest() {
  require("reflect-metadata");
  const { Body, Controller, Get, HttpCode, Module, Post } = require("@nestjs/common");
  const { NestFactory } = require("@nestjs/core");
  class Orders {
    describe() {
      return description;
    }
    cpu() {
      return process.cpuUsage();
    }
    price(order) {
      return priced(order).body;
    }
  }
  const decorate = (name, ...decorators) => {
    const member = Object.getOwnPropertyDescriptor(Orders.prototype, name);
    for (const one of decorators) one(Orders.prototype, name, member);
  };
  decorate("describe", Get("openapi.json"));
  decorate("cpu", Get("cpu"));
  decorate("price", Post("orders"), HttpCode(200));
  Body()(Orders.prototype, "price", 0);
  Controller()(Orders);
  class App {}
  Module({ controllers: [Orders] })(App);
  const app = await NestFactory.create(App, { logger: false });
  await app.listen(Number(process.env.PORT), "127.0.0.1");
}

({ express, fastify, nest })[process.argv[2]]();
