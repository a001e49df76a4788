"""`pip install django`, `wallace python --calls 2000 -- python django_orders.py runserver`."""

import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import JsonResponse
from django.urls import path

settings.configure(DEBUG=True, ROOT_URLCONF=__name__, SECRET_KEY="example", ALLOWED_HOSTS=["*"])
DAY = {"name": "day", "in": "query", "schema": {"type": "string", "format": "date"}}
ITEM = {"name": "item", "in": "path", "required": True, "schema": {"type": "string"}}
GET = {"parameters": [ITEM, DAY], "responses": {"200": {"description": "the price"}}}
INFO = {"title": "Prices", "version": "1"}
DESCRIPTION = {"openapi": "3.0.3", "info": INFO, "paths": {"/prices/{item}": {"get": GET}}}


def price(request, item):
    if item == "coffee":
        return JsonResponse({"price": 3})
    if item == "tea" and request.GET.get("day", "") > "2030":
        raise RuntimeError("nobody knows the price")  # A fault to be found.
    return JsonResponse({"price": 2})


urlpatterns = [
    path("openapi.json", lambda request: JsonResponse(DESCRIPTION)),
    path("prices/<item>", price),
]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
