"""`pip install fastapi uvicorn`, `wallace python --calls 2000 -- uvicorn fastapi_orders:app`."""

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI()
ORDERS = {}


class Order(BaseModel):
    item: str
    amount: int


@app.post("/orders")
def add(order: Order) -> dict[str, str]:
    if order.item not in ("tea", "coffee"):
        raise HTTPException(422, "there is only tea and coffee")
    if order.amount > 1000:
        raise RuntimeError("the store is too small")  # A fault to be found.
    number = f"{order.item}-{order.amount}"
    ORDERS[number] = order
    return {"id": number}


@app.get("/orders/{number}")
def get(number: str) -> Order:
    if number not in ORDERS:
        raise HTTPException(422, "there is no such order")
    return ORDERS[number]
