// Written by tools/rules from core: make generate.
export const rules = {
  "limits": {
    "quantity": 1000000,
    "level": 500,
    "itemName": 100,
    "description": 1000,
    "contact": 64,
    "inGameName": 64,
    "sellerName": 64,
    "message": 500,
    "notes": 500,
    "reason": 500,
    "searchName": 40,
    "searches": 25,
    "stockNote": 100,
    "stock": 200,
    "stockLines": 100,
    "watches": 25,
    "watchItems": 25,
    "watchPause": 1440,
    "place": 100
  },
  "importances": [
    "low",
    "medium",
    "high",
    "urgent"
  ],
  "suspiciousPhrases": [
    "free money",
    "click here",
    "urgent",
    "limited time"
  ],
  "fields": [
    {
      "name": "itemName",
      "option": "item",
      "kind": "line",
      "limit": 100,
      "required": true,
      "onCard": false,
      "inRow": false,
      "onBoard": false,
      "shared": false
    },
    {
      "name": "description",
      "option": "description",
      "kind": "prose",
      "limit": 1000,
      "required": false,
      "onCard": false,
      "inRow": false,
      "onBoard": false,
      "shared": true
    },
    {
      "name": "buyerContact",
      "option": "contact",
      "kind": "name",
      "limit": 64,
      "required": true,
      "onCard": true,
      "inRow": false,
      "onBoard": false,
      "shared": true
    },
    {
      "name": "ign",
      "option": "ign",
      "kind": "name",
      "limit": 64,
      "required": false,
      "onCard": true,
      "inRow": false,
      "onBoard": false,
      "shared": true
    }
  ],
  "undoMinutes": 10
} as const
