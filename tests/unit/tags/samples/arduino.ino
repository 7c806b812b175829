// Blinks a lamp.
#include <Servo.h>
#include "lamp.h"
#define LED_PIN 13
#define MAX(a, b) ((a) > (b) ? (a) : (b))

enum State { IDLE, RUNNING };
struct Point { int x; int y; };
typedef void (*Handler)(int);

const int buttonPin = 2;
volatile long counter = 0;
Servo servo;
Lamp lamps[2] = { Lamp(1), Lamp(2) };

class Blinker : public Base {
 public:
  Blinker(int pin) : pin_(pin) { attach(pin); }
  ~Blinker() {}
  void update() { digitalWrite(pin_, next()); }
  int rate() const;
 private:
  int pin_;
};

int Blinker::rate() const { return compute(pin_); }

template <typename T> T clampTo(T v, T hi) { return min(v, hi); }

namespace util { void helper() { Serial.println("class Fake {}"); } }

void onPress();

void setup() {
  pinMode(LED_PIN, OUTPUT);
  Serial.begin(9600);
  servo.attach(9);
  attachInterrupt(digitalPinToInterrupt(buttonPin), onPress, FALLING);
}

void loop() {
  int local = analogRead(A0);
  Blinker *b = new Blinker(MAX(local, 3));
  b->update();
  util::helper();
  delay(1000);
}
