"""`pip install flask`, `wallace python --calls 2000 -- flask --app flask_orders run`."""

from flask import Flask, jsonify, request

app = Flask(__name__)
TEXT = {"type": "string"}
ITEM = {"name": "item", "in": "query", "required": True, "schema": TEXT}
AMOUNT = {"name": "amount", "in": "query", "required": True, "schema": {"type": "integer"}}
RESPONSES = {"200": {"description": "the order"}, "400": {"description": "no order"}}


@app.get("/openapi.json")
def description():
    price = {"get": {"parameters": [ITEM, AMOUNT], "responses": RESPONSES}}
    info = {"title": "Prices", "version": "1"}
    return jsonify({"openapi": "3.0.3", "info": info, "paths": {"/price": price}})


@app.get("/price")
def price():
    prices = {"tea": 2, "coffee": 3}
    item = request.args.get("item", "")
    if item not in prices:
        return jsonify({"error": "there is only tea and coffee"}), 400
    amount = int(request.args.get("amount", ""))  # A fault to be found: a text that is no number.
    if amount >= 100:
        return jsonify({"price": amount * prices[item] * 0.9})
    return jsonify({"price": amount * prices[item]})
