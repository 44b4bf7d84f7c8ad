# func commented():
class_name Player
extends CharacterBody2D

signal died(cause)
enum State { IDLE, RUN }
const SPEED = 300.0
@export var health: int = 10
@onready var sprite = $Sprite2D
@export_range(0, 10, 0.5) var speed := 1.0
@rpc("any_peer", "call_local") func jump():
	pass

func _ready() -> void:
	var local = 1
	print("func written():")

static func create(kind):
	return kind

class Weapon:
	var damage = 1
	func hit(target):
		pass

#[tool] func commented_out():
