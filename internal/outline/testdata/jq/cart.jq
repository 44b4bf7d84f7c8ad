#!/usr/bin/env jq -f
# Adds up a cart.
module {"name": "cart"};
import "money" as money;

# The price of all items.
def total: map(.price * .count) | add;
def discount($share; f): f * (1 - $share);

def receipt($title):
  # one line for each item
  def line: "def \(.name) # \(.count)";
  def sum:
    total
    | money::round;
  $title, (.[] | line), sum;

def _walk(f): . as $in
  | if type == "object" then
      reduce keys[] as $key ({}; . + {($key): ($in[$key] | _walk(f))}) | f
    else f end;

receipt("def written: in a text")
