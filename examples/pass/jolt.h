// Carom's impact pass in Jolt (its public headers of June 2026): PassListener::Update in place of that of
// PhysicsSystem. A step in which bodies meet is taken back and done again, with new velocities. Single
// precision: expect 1e-6. Bodies asleep show no contacts: wake a row before it is struck.
#pragma once
#include <Jolt/Jolt.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <algorithm>
#include <carom/pass.h>
#include <mutex>
class PassListener : public JPH::ContactListener {
public:
    PassListener(JPH::PhysicsSystem &s, carom_pass *p) : mSystem(s), mPass(p) { s.SetContactListener(this); }
    carom_status Update(float dt, JPH::TempAllocator *memory, JPH::JobSystem *jobs, carom_error *err)
    {
        JPH::PhysicsSettings settings = mSystem.GetPhysicsSettings(), cold = settings;
        JPH::BodyInterface &all = mSystem.GetBodyInterface();
        carom_pass_report report = {};
        mContacts.clear(), mPlaces.clear(), mNumbers.assign(mSystem.GetMaxBodies(), 0);
        mSystem.GetBodies(mIDs);
        carom_pass_begin(mPass);
        for (const JPH::BodyID &id : mIDs)
            Add(*mSystem.GetBodyLockInterfaceNoLock().TryGetBody(id));
        mSystem.Update(dt, 1, memory, jobs);
        std::sort(mContacts.begin(), mContacts.end(), [](auto &x, auto &y) { // threads find them in any order
            return std::tie(x.a, x.b, x.point[0]) < std::tie(y.a, y.b, y.point[0]); });
        for (const carom_pass_contact &contact : mContacts)
            carom_pass_add_contact(mPass, &contact);
        carom_status status = carom_pass_resolve(mPass, dt, &report, err);
        for (size_t i = 0; i < mIDs.size() && report.impacts > 0; ++i) {
            const carom_pass_motion &m = *carom_pass_body(mPass, int(i));
            if (const auto &[movable, x, q] = mPlaces[i]; movable)
                all.SetPositionRotationAndVelocity(mIDs[i], x + Vector(m.shift), q, Vector(m.velocity),
                                                   Vector(m.spin));
        }
        cold.mConstraintWarmStart = false; // what pushed in the first try is undone
        mSystem.SetPhysicsSettings(cold);
        if (report.impacts > 0)
            mSystem.Update(dt, 1, memory, jobs);
        mSystem.SetPhysicsSettings(settings);
        return status;
    }
    void OnContactAdded(const JPH::Body &one, const JPH::Body &two, const JPH::ContactManifold &found,
                        JPH::ContactSettings &settings) override
    {
        std::lock_guard<std::mutex> lock(mMutex);
        for (JPH::uint k = 0; k < found.mRelativeContactPointsOn1.size(); ++k) {
            auto on1 = found.GetWorldSpaceContactPointOn1(k), on2 = found.GetWorldSpaceContactPointOn2(k);
            carom_pass_contact c = { mNumbers[one.GetID().GetIndex()], mNumbers[two.GetID().GetIndex()] };
            c.distance = JPH::Vec3(on2 - on1).Dot(found.mWorldSpaceNormal);
            c.restitution = settings.mCombinedRestitution, c.friction = settings.mCombinedFriction;
            for (JPH::uint i = 0; i < 3; ++i)
                c.point[i] = (on1[i] + on2[i]) / 2, c.normal[i] = found.mWorldSpaceNormal[i];
            mContacts.push_back(c);
        }
    }
    void OnContactPersisted(const JPH::Body &one, const JPH::Body &two, const JPH::ContactManifold &found,
                            JPH::ContactSettings &settings) override
    { OnContactAdded(one, two, found, settings); }
private:
    static JPH::Vec3 Vector(const double v[3]) { return { float(v[0]), float(v[1]), float(v[2]) }; }
    void Add(const JPH::Body &body)
    {
        carom_impact_body one = { body.IsDynamic() ? body.GetMotionProperties()->GetInverseMass() : 0.0 };
        JPH::Mat44 j = body.IsDynamic() ? body.GetInverseInertia() : JPH::Mat44::sZero();
        for (JPH::uint i = 0; i < 3; ++i) {
            one.position[i] = body.GetCenterOfMassPosition()[i], one.spin[i] = body.GetAngularVelocity()[i];
            one.velocity[i] = body.GetLinearVelocity()[i], one.inverse_inertia[i] = j(i, i);
            one.inverse_inertia[3 + i] = j(i == 2 ? 1 : 0, i == 0 ? 1 : 2);
        }
        mPlaces.emplace_back(body.IsDynamic(), body.GetPosition(), body.GetRotation());
        mNumbers[body.GetID().GetIndex()] = carom_pass_add_body(mPass, &one);
    }
    JPH::PhysicsSystem &mSystem;
    carom_pass *mPass;
    std::mutex mMutex;
    JPH::BodyIDVector mIDs;
    std::vector<int> mNumbers; // in the pass, by the index of a body
    std::vector<carom_pass_contact> mContacts;
    std::vector<std::tuple<bool, JPH::RVec3, JPH::Quat>> mPlaces; // before the step
};
